import { addressOf, formatMarkdown, type MarkdownFacts, type Page } from './page.ts'

/**
 * The index of all pages for LLMs (llmstxt.org): a summary of the site, then each page's Markdown URL and description.
 */
export function llmsText(groups: readonly { title: string; pages: readonly Page[] }[], base: string): string {
  const lists = groups.map(({ title, pages }) => {
    const items = pages.map(
      (page) => `- [${page.title}](${base}${page.path})${page.description && `: ${page.description}`}`,
    )
    return `## ${title}\n\n${items.join('\n')}`
  })
  return [
    '# Firmquote',
    `> ${summary}`,
    `Every page is available as Markdown. All pages except the SDK reference are also in one file: [llms-full.txt](${base}llms-full.txt).`,
    ...lists,
  ]
    .join('\n\n')
    .concat('\n')
}

const summary =
  'Fixed rates for variable-rate debt on Morpho Blue, by request for quote: a borrower asks, market makers answer with signed quotes, and the borrower takes the best one on-chain. The service finds, checks and displays quotes. It holds no funds.'

/** Joins all pages into one text, each preceded by its URL path. */
export function llmsFullText(pages: readonly Page[], facts: MarkdownFacts): string {
  return pages
    .map((page) => `<!-- ${facts.base}${addressOf(page.path)} -->\n\n${formatMarkdown(page, facts)}`)
    .join('\n---\n\n')
}
