/** Returns a response's status and request id, for errors. */
export function facts(response: Response): { status: number; requestId: string | undefined } {
  return { status: response.status, requestId: response.headers.get('x-request-id') ?? undefined }
}
