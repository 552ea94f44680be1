import { healthQuery, useService } from '@firmquote/react'
import { getChainName, type ServiceHealth } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAboutTexts } from '../../copy/aboutTexts.ts'
import type { AboutTexts } from '../../copy/enAbout.ts'
import type { Formats } from '../../copy/formats.ts'
import { useTexts, useWords } from '../../copy/words.ts'
import { proofsHref } from '../../routes.ts'
import { type Column, Table } from '../../ui/Table.tsx'
import { ViewHead } from '../../ui/ViewHead.tsx'
import { type ComponentName, components, judgeStatus, noteChanges, type Seen } from './judgeStatus.ts'
import styles from './StatusView.module.css'

const refreshMs = 5_000

/** Each component of the service, its state and since when it has been in it. */
export function StatusView() {
  const { client, config } = useService()
  const { formats } = useWords()
  const { title, lead } = useTexts().openings.status
  const { status } = useAboutTexts()
  const { data, isError, isPending } = useQuery({ ...healthQuery(client), refetchInterval: refreshMs, retry: false })
  const health = isError ? null : data
  const [started] = useState(() => Math.floor(Date.now() / 1000))
  const [seen, setSeen] = useState<Partial<Record<ComponentName, Seen>>>({})
  const next = isPending ? seen : noteChanges(seen, judgeStatus(health), Date.now())
  if (next !== seen) setSeen(next)
  const columns: Column<ComponentName>[] = [
    { heading: status.component, cell: (name) => <strong>{status.names[name]}</strong> },
    { heading: status.state, cell: (name) => <State seen={next[name]} /> },
    { heading: status.detail, cell: (name) => describeComponent(name, health, status, formats) },
  ]
  return (
    <>
      <ViewHead title={title}>{lead}</ViewHead>
      <Table caption={status.caption} columns={columns} rows={components} keyOf={(name) => name} />
      <p className={styles['foot']}>
        {status.network(getChainName(config.chainId), config.chainId)} {status.watching(formats.clock(started))}{' '}
        {status.raw} <a href="/api/v1/health">{status.health}</a> <a href="/api/v1/config">{status.config}</a>.{' '}
        <a href={proofsHref}>{status.proofs}</a>
      </p>
    </>
  )
}

function State({ seen }: { seen: Seen | undefined }) {
  const { formats } = useWords()
  const { status } = useAboutTexts()
  const state = seen?.state ?? 'unknown'
  return (
    <span className={styles['state']}>
      <span className={`${styles['dot']} ${styles[state]}`} aria-hidden="true" />
      <span>
        {status.states[state]}
        {seen && seen.at !== null && (
          <span className={styles['since']}>{status.since(formats.clock(Math.floor(seen.at / 1000)))}</span>
        )}
      </span>
    </span>
  )
}

/** Describes a component in a few words. Pure. */
function describeComponent(
  name: ComponentName,
  health: ServiceHealth | null | undefined,
  texts: AboutTexts['status'],
  formats: Formats,
): string | null {
  if (!health) return name === 'service' && health === null ? texts.silent : null
  const { version, database, sync, serverTime, backers, auctions } = health
  switch (name) {
    case 'service':
      return texts.responding(version)
    case 'database':
      return database === 'ok' ? texts.writable : texts.readOnly
    case 'node': {
      if (sync.head === null) return texts.noHead
      const isAged = sync.lagSeconds !== null && sync.lagSeconds >= 0 && sync.synced === sync.head
      return isAged
        ? texts.head(formats.count(sync.head), formats.duration(sync.lagSeconds ?? 0))
        : texts.headAhead(formats.count(sync.head))
    }
    case 'sync':
      return sync.synced === null ? texts.notSynced : texts.synced(formats.count(sync.synced))
    case 'clock': {
      if (serverTime === undefined) return null
      const time = formats.second(Math.floor(serverTime / 1000))
      return judgeStatus(health).clock === 'ok' ? time : texts.clockBehind(time)
    }
    case 'makers':
      return texts.makers(backers.connected, auctions.open)
  }
}
