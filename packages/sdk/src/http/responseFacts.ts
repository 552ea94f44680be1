/** The facts of a response for an error. */
export function facts(response: Response): { status: number; requestId: string | undefined } {
  return { status: response.status, requestId: response.headers.get('x-request-id') ?? undefined }
}
