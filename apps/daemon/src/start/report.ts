import type { Address } from 'viem'
import { listMakerPositions } from '../adapters/listMakerPositions.ts'
import { readMakerPositions } from '../adapters/viemChain/readMakerPositions.ts'
import { formatReport, type ReportFormat } from '../domain/formatReport.ts'
import { createReport } from '../domain/positionReport.ts'
import type { Configuration } from './loadConfiguration.ts'

/**
 * Creates a report of a maker's positions. The service supplies the positions' IDs; the amounts are read from the chain
 * as of a single block. Needs neither the key nor the database, so a report can be created while a daemon is running.
 *
 * @throws {BaseError} if a read fails. The message says why.
 */
export async function report({ chain, service }: Configuration, maker: Address, format: ReportFormat): Promise<string> {
  const { chainId, quoteMarket, interestRatePool, rpcUrl } = chain
  const positionIds = await listMakerPositions(service.url, maker)
  const readings = await readMakerPositions({ chainId, quoteMarket, interestRatePool, rpcUrl, maker, positionIds })
  return formatReport(createReport(readings), format)
}
