import { spawnSync } from 'node:child_process'
import { describe, expect, test } from '@jest/globals'
import { runCli } from '../../test/runCli.ts'
import type { Context } from '../context.ts'
import { createProgram } from '../createProgram.ts'
import { describeCommands } from './describeCommands.ts'
import { zshScript } from './zsh.ts'

/** Runs a shell without the user's configuration files. */
function runShell(shell: string, args: readonly string[], script: string): string[] {
  const { stdout, status } = spawnSync(shell, [...args, '-c', script], { encoding: 'utf8', cwd: import.meta.dirname })
  expect(status).toBe(0)
  return stdout.split('\n').filter((line) => line !== '')
}

const installed = (shell: string) => spawnSync(shell, ['--version']).status === 0
const where = (shell: string) => (installed(shell) ? test : test.skip)

/** Returns bash's completions for a line whose last word is incomplete. */
function completeInBash(script: string, ...words: string[]): string[] {
  const line = `COMP_WORDS=(firmquote ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}`
  return runShell('bash', ['--norc'], `${script}\n${line}; _firmquote; printf '%s\\n' "\${COMPREPLY[@]}"`)
}

describe('firmquote completion', () => {
  test('default: bash completes commands, options, their words and files', async () => {
    const { code, out, err } = await runCli(['completion', 'bash'])
    expect([code, err]).toEqual([0, ''])
    expect(completeInBash(out, 'po')).toEqual(['pools', 'positions'])
    expect(completeInBash(out, 'rfq', '--max')).toEqual(['--max-cost', '--max-apr', '--max-fee'])
    expect(completeInBash(out, 'quotes', '--status', 'c')).toEqual(['cancelled'])
    expect(completeInBash(out, 'completion', '')).toEqual(['bash', 'zsh', 'fish'])
    expect(completeInBash(out, 'help', 'se')).toEqual(['settle'])
    expect(completeInBash(out, 'sign', 'zsh')).toEqual(['zsh.ts'])
    expect(completeInBash(out, 'rfq', '--key-file', 'zsh')).toEqual(['zsh.ts'])
    expect(completeInBash(out, 'verify', 'zsh')).toEqual(['zsh.ts'])
    expect(completeInBash(out, 'monitor', '--policy', 'zsh')).toEqual(['zsh.ts'])
    // Amounts and pools have no completions.
    expect(completeInBash(out, 'rfq', '--notional', '')).toEqual([])
    expect(completeInBash(out, 'rfq', '')).toEqual([])
    expect(runShell('bash', ['--norc'], `${out}\ncomplete -p firmquote`)).toEqual(['complete -F _firmquote firmquote'])
  })

  test('behavior: every command and every option is offered', async () => {
    const { out } = await runCli(['completion', 'bash'])
    const { commands } = createProgram({} as Context, '0.0.0')
    expect(completeInBash(out, '')).toEqual([
      ...commands.map((command) => command.name()),
      'help',
      '--help',
      '--version',
    ])
    for (const command of commands) {
      const options = command.options.map(({ long }) => long)
      expect(completeInBash(out, command.name(), '-')).toEqual([...options, '--help'])
    }
  })

  where('fish')('default: fish completes commands, options and their words', async () => {
    const { out } = await runCli(['completion', 'fish'])
    const complete = (line: string) =>
      runShell('fish', ['--no-config'], `${out}\ncomplete -C '${line}'`).map((offer) => offer.split('\t')[0])
    expect(complete('firmquote po')).toEqual(['pools', 'positions'])
    expect(complete('firmquote rfq --max')).toEqual(['--max-apr', '--max-cost', '--max-fee'])
    expect(complete('firmquote quotes --status c')).toEqual(['cancelled'])
    expect(complete('firmquote rfq --key-file zsh')).toEqual(['zsh.ts'])
    expect(complete('firmquote rfq --notional ')).toEqual([])
  })

  where('zsh')('default: zsh completes commands, options and their words', async () => {
    const { out } = await runCli(['completion', 'zsh'])
    // A stub for the completion system, which requires a terminal.
    const system = `compdef() {}; _describe() { print -l -- "\${(@P)2}"; }; compadd() { print -l -- "\${@[2,-1]}"; }; _files() { print FILES; }`
    const complete = (...words: string[]) => {
      const line = `words=(firmquote ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}`
      return runShell('zsh', ['-f'], `${system}\n${out}\n${line}; _firmquote`)
    }
    expect(complete('')).toContain('pools:list pools with their floating rates, series, best fixed rates and depth')
    expect(complete('rfq', '--')).toContain('--max-apr:maximum annual rate; not sent to anyone')
    expect(complete('quotes', '--status', '')).toContain('cancelled')
    expect(complete('rfq', '--key-file', '')).toEqual(['FILES'])
    expect(complete('rfq', '--notional', '')).toEqual([])
  })

  test('behavior: a description with quotes stays one word', () => {
    const program = createProgram({} as Context, '0.0.0')
    expect(zshScript('firmquote', describeCommands(program))).toContain(
      `'positions:show an account'\\''s debts and fixed-rate positions'`,
    )
  })

  test('error: an unsupported shell', async () => {
    const { code, out, err } = await runCli(['completion', 'tcsh'])
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/Allowed choices are bash, zsh, fish\. See firmquote --help\. \(USAGE\)\n$/)
  })
})
