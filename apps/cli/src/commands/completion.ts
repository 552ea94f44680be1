import type { Command } from 'commander'
import { bashScript } from '../completion/bash.ts'
import { describeCommands } from '../completion/describeCommands.ts'
import { fishScript } from '../completion/fish.ts'
import { zshScript } from '../completion/zsh.ts'
import type { Context } from '../context.ts'

/** The shells that have a completion, by name. */
export type Shell = keyof typeof scripts

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }

/** Prints what a shell needs to complete the commands and options of a program. */
export function completion({ write }: Pick<Context, 'write'>, shell: Shell, program: Command): void {
  write(scripts[shell](program.name(), describeCommands(program)))
}
