import { useService } from '@firmquote/react'
import type { ReactNode } from 'react'
import type { Address, Hex } from 'viem'
import { explorerOf } from '../chain/chainOf.ts'
import { useWords } from '../copy/words.ts'
import { makerHref } from '../routes.ts'
import { useWebAppSettings } from '../service/webAppSettings.ts'
import styles from './AddressLink.module.css'
import { CopyButton } from './CopyButton.tsx'
import { ShortAddress } from './figures.tsx'

/**
 * Shows an address, linked to the block explorer if there is one. Shortened text is shown in full on hover.
 */
export function AddressLink({ address, whole = false }: { address: Address; whole?: boolean }) {
  const { texts, formats } = useWords()
  const { copy } = texts.common
  return (
    <Copyable text={address} label={copy.address} short={!whole}>
      <Linked page="address" full={address}>
        {whole ? address : formats.address(address)}
      </Linked>
    </Copyable>
  )
}

/** Shows a market maker's shortened address, linked to the maker's page. */
export function MakerLink({ address }: { address: Address }) {
  return (
    <a href={makerHref(address)}>
      <ShortAddress address={address} />
    </a>
  )
}

/** Shows a transaction hash, linked to the block explorer if there is one. */
export function Hash({ hash }: { hash: Hex }) {
  const { copy } = useWords().texts.common
  return (
    <Copyable text={hash} label={copy.transaction}>
      <Linked page="tx" full={hash}>
        {hash}
      </Linked>
    </Copyable>
  )
}

/** Shows an offer's hash, without a link because block explorers cannot find it. */
export function OfferHash({ hash }: { hash: string }) {
  const { copy } = useWords().texts.common
  return (
    <Copyable text={hash} label={copy.offer}>
      <span className={styles['mono']}>{hash}</span>
    </Copyable>
  )
}

function Copyable(props: { text: string; label: string; short?: boolean; children: ReactNode }) {
  return (
    <span className={props.short ? styles['short'] : styles['whole']}>
      {props.children} <CopyButton text={props.text} label={props.label} />
    </span>
  )
}

function Linked({ page, full, children }: { page: 'address' | 'tx'; full: Hex; children: string }) {
  const { config } = useService()
  const explorer = explorerOf(config.chainId, useWebAppSettings())
  const look = { className: styles['mono'], title: full }
  if (explorer === null) return <span {...look}>{children}</span>
  return (
    <a {...look} href={`${explorer}/${page}/${full}`} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
