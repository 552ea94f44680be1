import { encode } from 'uqr'
import { useTexts } from '../copy/words.ts'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import styles from './WalletMenu.module.css'

/**
 * Shows a wallet app's pairing code as a QR code, a link and text. The code contains a key, so do not show it
 * elsewhere.
 */
export function PairingCode({ uri, onCancel }: { uri: string; onCancel: () => void }) {
  const { wallet } = useTexts()
  const { data, size } = encode(uri)
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <>
      <p className={styles['note']}>{wallet.scan}</p>
      <svg className={styles['code']} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={wallet.code}>
        <path d={dark.join('')} />
      </svg>
      <p>
        <a href={uri}>{wallet.openCode}</a> <CopyButton text={uri} label={wallet.copyCode} words />
      </p>
      <Button onClick={onCancel}>{wallet.cancel}</Button>
    </>
  )
}
