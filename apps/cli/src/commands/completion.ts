import type { Command } from 'commander'
import { bashScript } from '../completion/bash.ts'
import { describeCommands } from '../completion/describeCommands.ts'
import { fishScript } from '../completion/fish.ts'
import { zshScript } from '../completion/zsh.ts'
import type { Context } from '../context.ts'

/** Shells with a completion script. */
export type Shell = keyof typeof scripts

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }

/** Prints the completion script for a shell. */
export function completion({ write }: Pick<Context, 'write'>, shell: Shell, program: Command): void {
  write(scripts[shell](program.name(), describeCommands(program)))
}
