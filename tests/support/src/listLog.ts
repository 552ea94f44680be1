/** Creates a log that records its entries. */
export function createListLog() {
  const entries: { level: string; facts: Record<string, unknown>; message: string }[] = []
  const at = (level: string) => (facts: object, message: string) => {
    entries.push({ level, facts: { ...facts }, message })
  }
  return { entries, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
