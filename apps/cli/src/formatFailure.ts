import { encodeJson } from '@firmquote/core/utils'
import { CommanderError } from 'commander'
import type { FailureFacts } from './context.ts'
import { withoutKeys } from './createSecrets.ts'
import { describeError, renderError } from './describeError.ts'
import { UsageError } from './errors.ts'
import { exitCodeOf } from './exitCodeOf.ts'
import { exitCodes } from './exitCodes.ts'

/** Formats a run's error, as text for standard error and an exit code. */
export function formatFailure(
  thrown: unknown,
  { json, signal, failure }: { json: boolean; signal: AbortSignal; failure: FailureFacts },
): { text: string; code: number } {
  if (signal.aborted) {
    const interrupted = { code: 'ABORTED', message: 'Interrupted.' }
    return {
      text: json ? encodeJson({ error: interrupted }) : `firmquote: ${interrupted.message}`,
      code: signal.reason === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted,
    }
  }
  const error = thrown instanceof CommanderError ? usageError(thrown) : thrown
  const described = describeError(error, failure)
  return {
    text: json ? encodeJson({ error: described }) : renderError(described, failure.token),
    code: exitCodeOf(error),
  }
}

/** Converts commander's error to a `UsageError`. A key passed as an option by mistake is not shown. */
function usageError({ code, message }: CommanderError): UsageError {
  if (code === 'commander.help') return new UsageError('A command is required; firmquote --help lists them.')
  const text = withoutKeys(message.replace(/^error: /, '')).replace(/\.?$/, '.')
  return new UsageError(`${text.charAt(0).toUpperCase()}${text.slice(1)} See firmquote --help.`)
}
