export type { Address, Deployment } from './deployment.ts'
export {
  BUNDLER3_ADDRESS,
  INTEREST_RATE_POOL_ADDRESS,
  INTEREST_RATE_POOL_DEPLOY_BLOCK,
  KEEPER_BUNDLER_ADDRESS,
  PRODUCTION_DEPLOYMENT,
  QUOTE_MARKET_ADDRESS,
} from './generated/deployment.ts'
