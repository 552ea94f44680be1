import type { endpoints } from '@firmquote/core/endpoints'
import type { handle } from '../handle.ts'
import { auctionRoutes } from './auctionRoutes.ts'
import { makerRoutes } from './makerRoutes.ts'
import { marketRoutes } from './marketRoutes.ts'
import { operationRoutes } from './operationRoutes.ts'
import { quoteRoutes } from './quoteRoutes.ts'

type Handled = { readonly [Id in keyof typeof endpoints]: ReturnType<typeof handle<(typeof endpoints)[Id]>> }

/** The handlers of all endpoints. A missing handler is a compile-time error. */
export const handlers: Handled = {
  ...auctionRoutes,
  ...makerRoutes,
  ...marketRoutes,
  ...operationRoutes,
  ...quoteRoutes,
}
