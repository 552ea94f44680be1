import { useData, withBase } from 'vitepress'
import theme from 'vitepress/theme-without-fonts'
import { defineAsyncComponent, defineComponent, h } from 'vue'

const RecordedAuction = defineAsyncComponent(async () => (await import('./recordedAuction.ts')).RecordedAuction)

/** The theme's layout with the home page's hero (front matter `opening`) and a not-found page. */
export const SiteLayout = defineComponent(() => {
  const { frontmatter } = useData()
  const opening = () => {
    const { opening: texts } = frontmatter.value as { opening?: { title: string; lead: string } }
    if (!texts) return null
    return h('section', { class: 'opening', 'aria-labelledby': 'opening' }, [
      h('h1', { id: 'opening' }, texts.title),
      h('p', texts.lead),
      h(RecordedAuction),
    ])
  }
  const missing = () =>
    h('main', { class: 'missing' }, [
      h('h1', 'There is no such page'),
      h('p', [
        'The address has a mistake, or the page has moved. ',
        h('a', { href: withBase('/') }, 'The first page'),
        ' leads to all others, and the search finds them.',
      ]),
    ])
  return () => h(theme.Layout, null, { 'doc-before': opening, 'not-found': missing })
})
