import './styles/font.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/media.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { loadLanguageChoice } from './app/languageChoice.ts'
import { beginView } from './app/viewFiles.ts'
import { announceDemoWallets } from './chain/announceDemoWallet.ts'
import { loadRememberedWallet } from './chain/remoteWallets.ts'
import { loadWords } from './copy/words.ts'
import { loadWebAppSettings } from './service/webAppSettings.ts'

// A top-level await would prevent this module from sharing code with lazily loaded views.
void start()

async function start(): Promise<void> {
  beginView(location.hash)
  const settings = loadWebAppSettings(document)
  if (settings.devnet) announceDemoWallets(window, settings.devnet)

  const words = await loadWords(navigator.languages, loadLanguageChoice())
  document.documentElement.lang = words.language.texts

  const projectId = settings.walletConnectProject
  const about = words.texts.wallet.page
  const connectors = projectId === null ? [] : await loadRememberedWallet({ projectId, about })

  const root = document.getElementById('root')
  if (!root) return
  createRoot(root).render(
    <StrictMode>
      <App settings={settings} words={words} connectors={connectors} />
    </StrictMode>,
  )
}
