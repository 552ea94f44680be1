import { type Code, codes, describeRejection, type Rejection } from '@firmquote/core'
import {
  bodyProblems,
  commonProblems,
  type Endpoint,
  endpoints,
  problemDocs,
  problems,
} from '@firmquote/core/endpoints'
import { rejectionDetails } from '@firmquote/core/protocol'
import { errorAdvice, sampleRejections } from './errorAdvice.ts'
import type { Page } from './page.ts'

/**
 * All of the service's error codes. Each code has a section with its meaning, message, details, endpoints and advice.
 *
 * @param protocol text of `docs/protocol.md`, whose table defines each code's meaning.
 * @throws {TypeError} if the table has no row for a code.
 */
export function errorsPage(protocol: string): Page {
  const meanings = new Map(
    [...protocol.matchAll(/^\| `([A-Z_]+)` \| \d{3} \| (.+?) \|$/gm)].map(([, code = '', meaning = '']) => [
      code,
      meaning,
    ]),
  )
  const overview = codes.map(
    (code) => `| [\`${code}\`](#${code.toLowerCase()}) | ${problems[code].status} | ${problems[code].title} |`,
  )
  const markdown = [
    '# Errors by code',
    'Every HTTP error response from the service is `application/problem+json` (RFC 9457) with a `code`. The socket uses the same codes. Codes are never renamed or reused. In the response, `docs` links to the section about the code on this page, `detail` says what was wrong, `details` contains the values that led to the error, and `requestId` identifies the request in the log. For the errors that the SDK throws, see [SDK errors](/reference/errors-sdk).',
    '429 and 503 responses include a `Retry-After` header, 405 includes `Allow`, and 401 includes `WWW-Authenticate`.',
    ['| code | status | summary |', '|---|---|---|', ...overview].join('\n'),
    ...codes.map((code) => describeCode(code, meanings.get(code))),
  ].join('\n\n')
  return {
    path: 'reference/errors.md',
    title: 'Errors by code',
    description: 'What each code means, when it occurs and what to do.',
    order: 13,
    markdown,
  }
}

function describeCode(code: Code, meaning: string | undefined): string {
  if (meaning === undefined) throw new TypeError(`The table of codes in docs/protocol.md has no row for ${code}.`)
  const { status, title } = problems[code]
  const sample = (sampleRejections as Partial<Record<Code, Rejection>>)[code]
  const details = sample ? rejectionDetails(sample) : {}
  const parts = [
    `## ${code} {#${problemDocs(code).split('#')[1]}}`,
    `**${status}** ${title}. ${meaning.replace(/\.?$/, '.')}`,
  ]
  if (sample) parts.push(`Example: ${describeRejection(sample)}`)
  if (Object.keys(details).length > 0) {
    parts.push(
      `\`details\`: ${Object.keys(details)
        .map((name) => `\`${name}\``)
        .join(', ')}.`,
    )
  }
  parts.push(`**What to do.** ${errorAdvice[code]}`, `**Where.** ${whereOf(code)}`)
  return parts.join('\n\n')
}

function whereOf(code: Code): string {
  if ((commonProblems as readonly Code[]).includes(code)) return 'All endpoints and the socket.'
  const all = Object.values<Endpoint>(endpoints)
  const own = all.filter(
    ({ problems: listed, body }) => listed.includes(code) || (body && (bodyProblems as readonly Code[]).includes(code)),
  )
  if (own.length === 0) return wholeService[code] ?? "The market makers' [socket](/reference/socket)."
  return `${own.map(({ id, method, path }) => `[\`${method.toUpperCase()} ${path}\`](/reference/rest#${id.toLowerCase()})`).join(', ')}.`
}

/** Codes for requests that match no endpoint. */
const wholeService: Partial<Record<Code, string>> = {
  NOT_FOUND: 'Any path that is not an endpoint.',
  METHOD_NOT_ALLOWED: 'Any endpoint that is called with an unsupported method.',
}
