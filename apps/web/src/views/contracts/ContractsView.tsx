import { configQuery, useChain, useService } from '@firmquote/react'
import { getChainName } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { type Address, parseAbi } from 'viem'
import { readContract } from 'viem/actions'
import { explorerOf } from '../../chain/chainOf.ts'
import { useAboutTexts } from '../../copy/aboutTexts.ts'
import { useTexts } from '../../copy/words.ts'
import { useWebAppSettings } from '../../service/webAppSettings.ts'
import { AddressLink } from '../../ui/AddressLink.tsx'
import { Section } from '../../ui/Panel.tsx'
import { ViewHead } from '../../ui/ViewHead.tsx'
import styles from './ContractsView.module.css'

/** The contracts in the order of their importance. `path` is the source file in the repository. */
const contracts = [
  { key: 'quoteMarket', path: 'packages/devnet/contracts/QuoteMarket.sol' },
  { key: 'interestRatePool', path: 'packages/devnet/contracts/InterestRatePool.sol' },
  { key: 'keeperBundler', path: 'packages/devnet/contracts/KeeperBundler.sol' },
  { key: 'bundler3', path: null },
] as const

type Contract = (typeof contracts)[number]

const morphoRepository = 'https://github.com/morpho-org/bundler3'

/** Each contract's purpose, address, owner, source code and audits. */
export function ContractsView() {
  const { client, config } = useService()
  // The configuration was loaded when the app started.
  const { data: whole } = useQuery(configQuery(client))
  const { devnet } = useWebAppSettings()
  const { title, lead } = useTexts().openings.contracts
  const texts = useAboutTexts().contracts
  const onChain = devnet === null ? texts.onChain : texts.onDevnet
  return (
    <>
      {/* The introduction is the largest text, and can be read before the view has loaded. */}
      <ViewHead title={title}>{lead}</ViewHead>
      <p>{onChain(getChainName(config.chainId), config.chainId)}</p>
      {whole &&
        contracts.map((contract) => (
          <Section key={contract.key} title={texts.names[contract.key].name} lead={texts.names[contract.key].purpose}>
            <Facts contract={contract} address={whole.contracts[contract.key]} />
          </Section>
        ))}
    </>
  )
}

function Facts({ contract: { key, path }, address }: { contract: Contract; address: Address }) {
  const { config } = useService()
  const texts = useAboutTexts().contracts
  const explorer = explorerOf(config.chainId, useWebAppSettings())
  return (
    <dl className={styles['facts']}>
      <div>
        <dt>{texts.address}</dt>
        <dd>
          <AddressLink whole address={address} />
        </dd>
      </div>
      <div>
        <dt>{texts.owner}</dt>
        <dd>{key === 'interestRatePool' ? <Owner of={address} /> : texts.noOwner}</dd>
      </div>
      <div>
        <dt>{texts.source}</dt>
        <dd>
          {path === null ? (
            <a href={morphoRepository}>{morphoRepository}</a>
          ) : explorer === null ? (
            <code className={styles['path']}>{path}</code>
          ) : (
            <a href={`${explorer}/address/${address}#code`} target="_blank" rel="noreferrer">
              {texts.code}
            </a>
          )}
        </dd>
      </div>
      <div>
        <dt>{texts.audits}</dt>
        <dd>
          {path === null ? <a href={`${morphoRepository}/tree/main/audits`}>{texts.morphoAudits}</a> : texts.noAudits}
        </dd>
      </div>
    </dl>
  )
}

/** The pool's owner and its powers. The address comes from the connected wallet, because the service does not know it. */
function Owner({ of: address }: { of: Address }) {
  const texts = useAboutTexts().contracts
  const chain = useChain()
  const client = chain.state === 'ready' ? chain.client : null
  const { data, isError } = useQuery({
    queryKey: ['owner', client?.uid, address],
    queryFn: () =>
      client &&
      readContract(client, {
        address,
        abi: parseAbi(['function owner() view returns (address)']),
        functionName: 'owner',
      }),
    enabled: client !== null,
  })
  return (
    <>
      {data ? <AddressLink whole address={data} /> : isError ? texts.ownerFailed : client === null && texts.ownerUnread}
      <span className={styles['note']}>{texts.ownerPowers}</span>
    </>
  )
}
