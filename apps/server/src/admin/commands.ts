import { auctionCommands } from './auctionCommands.ts'
import { auditCommand } from './auditCommand.ts'
import type { Command } from './command.ts'
import { haltCommands } from './haltCommands.ts'
import { keyCommands } from './keyCommands.ts'
import { limitCommands } from './limitCommands.ts'
import { makerCommands } from './makerCommands.ts'
import { statusCommand } from './statusCommand.ts'

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  ...[statusCommand, ...makerCommands, ...haltCommands, ...keyCommands, ...limitCommands],
  ...[...auctionCommands, auditCommand],
]
