import './styles/font.css'
import './styles/tokens.css'
import './styles/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { announceDemoWallet } from './chain/announceDemoWallet.ts'
import { loadPageSettings } from './service/pageSettings.ts'

const settings = loadPageSettings(document)
if (settings.devnet) announceDemoWallet(window, settings.devnet)

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App settings={settings} />
    </StrictMode>,
  )
}
