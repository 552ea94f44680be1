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
      h('h1', 'Page not found'),
      h('p', [
        'The URL is wrong or the page has moved. Start from the ',
        h('a', { href: withBase('/') }, 'home page'),
        ' or use the search.',
      ]),
    ])
  return () => h(theme.Layout, null, { 'doc-before': opening, 'not-found': missing })
})
