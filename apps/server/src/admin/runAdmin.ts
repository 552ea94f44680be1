import { resolve } from 'node:path'
import { BaseError } from '@firmquote/core'
import { formatError } from '@firmquote/node-runtime/formatError'
import { callSocket } from '@firmquote/node-runtime/socket/callSocket'
import { CallRefusedError } from '@firmquote/node-runtime/socket/socketErrors'
import { JSONRPCErrorCode } from 'json-rpc-2.0'
import { adminSocketPath } from '../start/adminSocketPath.ts'
import { type SettingName, settings } from '../start/settings.ts'
import { commands } from './commands.ts'
import { printable } from './format.ts'
import { parseCommand, UsageError } from './parseCommand.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Output and exit code of the process: 1 if the command failed, 2 if it was not understood. */
export type AdminOutcome = { exitCode: 0 | 1 | 2; out: string; err: string }

/**
 * Runs `firmquote-server admin`.
 *
 * @param args the arguments after `admin`.
 * @param user the operating system's name for the operator.
 */
export async function runAdmin(
  args: readonly string[],
  { environment, user }: { environment: Environment; user: string },
): Promise<AdminOutcome> {
  try {
    const request = parseCommand(args, commands)
    if ('help' in request) return { exitCode: 0, out: request.help, err: '' }
    const { command, params, json, socket, as } = request
    const result = await callSocket({
      socketPath: socket === undefined ? pathFrom(environment) : resolve(socket),
      program: 'server',
      method: command.words.replaceAll(' ', '.'),
      params: command.changes ? { ...params, who: as ?? user } : params,
    })
    const text = json ? encodeJson(result) : printable(command.print(result))
    return { exitCode: 0, out: `${text}\n`, err: '' }
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    if (error instanceof CallRefusedError && error.rpcCode === JSONRPCErrorCode.MethodNotFound) {
      return { exitCode: 1, out: '', err: 'The server does not know this command: its version is older.\n' }
    }
    return { exitCode: error instanceof UsageError ? 2 : 1, out: '', err: `${printable(formatError(error))}\n` }
  }
}

/** Finds the socket as the server does. */
function pathFrom(environment: Environment): string {
  const given = (name: SettingName) => environment[name]?.trim() || undefined
  const path = adminSocketPath({
    ADMIN_SOCKET: given('ADMIN_SOCKET') ?? null,
    DATABASE_URL: given('DATABASE_URL') ?? null,
    DATA_DIR: settings.DATA_DIR.shape.parse(given('DATA_DIR')),
  })
  if (path !== null) return path
  throw new UsageError(
    'A server with DATABASE_URL has no DATA_DIR: set ADMIN_SOCKET as for the server, or use --socket.',
  )
}

/** Escapes characters that JSON permits and a terminal could execute. */
function encodeJson(result: unknown): string {
  return JSON.stringify(result, null, 2).replaceAll(/[^\P{C}\n]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}
