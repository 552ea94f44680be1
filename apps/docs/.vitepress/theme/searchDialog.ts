import localSearchIndex from '@localSearchIndex'
import MiniSearch, { type SearchResult } from 'minisearch'
import { useRoute } from 'vitepress'
import { computed, defineComponent, h, onMounted, ref, shallowRef, Teleport, watch } from 'vue'

/** A heading with its URL, its page's title and its parent headings. All fields except `id` are HTML. */
type Place = SearchResult & { titles: string[]; title: string }

const shownAtMost = 16

// Kept when the dialog closes, so that reopening it shows the previous results.
const query = ref('')
const index = shallowRef<MiniSearch>()

async function loadIndex(): Promise<void> {
  const { default: json } = await localSearchIndex.root()
  index.value ??= MiniSearch.loadJSON(json, {
    // Must match the options with which VitePress builds the index.
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
  })
}

/**
 * Replaces the theme's search dialog, whose ARIA roles fail axe's accessibility checks. The dialog is modal, so the
 * browser traps and restores focus. Results are ordinary links.
 */
export default defineComponent(
  (_props, { emit }) => {
    const dialog = ref<HTMLDialogElement>()
    const input = ref<HTMLInputElement>()
    const isIndexMissing = ref(false)
    const found = computed(() => (index.value?.search(query.value) ?? []) as Place[])
    const status = computed(() => {
      if (isIndexMissing.value) return 'The index could not be loaded. Load the page again.'
      if (!index.value || query.value.trim() === '') return ''
      if (found.value.length === 0) return `Nothing found for “${query.value.trim()}”.`
      if (found.value.length > shownAtMost) return `The best ${shownAtMost} of ${found.value.length} results.`
      return found.value.length === 1 ? '1 result.' : `${found.value.length} results.`
    })

    const close = () => dialog.value?.close()
    /** Elements that the arrow keys navigate: the input and each result. */
    const stops = () => [...(dialog.value?.querySelectorAll<HTMLElement>('input, a') ?? [])]

    function onKeydown(event: KeyboardEvent): void {
      if (event.key === 'Escape') {
        // By default, the Escape key would clear the input first.
        event.preventDefault()
        close()
      }
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (!step) return
      event.preventDefault()
      stops()[stops().indexOf(document.activeElement as HTMLElement) + step]?.focus()
    }

    function onSubmit(event: Event): void {
      event.preventDefault()
      stops()[1]?.click()
    }

    function onClick(event: MouseEvent): void {
      // VitePress handles clicks itself, except on links that open in another tab.
      if (!event.defaultPrevented) return
      close()
      const { hash } = event.currentTarget as HTMLAnchorElement
      // If the heading is on this page, focuses it.
      document.getElementById(decodeURIComponent(hash.slice(1)))?.focus({ preventScroll: true })
    }

    onMounted(() => {
      dialog.value?.showModal()
      input.value?.select()
      loadIndex().catch(() => {
        isIndexMissing.value = true
      })
    })
    const route = useRoute()
    watch(() => route.path, close)

    return () =>
      h(Teleport, { to: 'body' }, [
        h(
          'dialog',
          {
            ref: dialog,
            class: 'search-dialog',
            'aria-label': 'Search',
            closedby: 'any',
            onClose: () => emit('close'),
            onKeydown,
          },
          [
            h('form', { onSubmit }, [
              h('input', {
                ref: input,
                type: 'search',
                value: query.value,
                'aria-label': 'Search the documentation',
                'aria-describedby': 'search-keys',
                autocapitalize: 'off',
                autocomplete: 'off',
                enterkeyhint: 'go',
                maxlength: 64,
                placeholder: 'Search',
                spellcheck: false,
                onInput: () => {
                  query.value = input.value?.value ?? ''
                },
              }),
              h('button', { type: 'button', onClick: close }, 'Close'),
            ]),
            h('div', [
              h('p', { id: 'search-keys' }, 'Enter opens the first result, arrow keys move, Escape closes.'),
              h('p', { role: 'status' }, status.value),
            ]),
            h(
              'ol',
              found.value
                .slice(0, shownAtMost)
                .map(({ id, titles, title }) =>
                  h('li', { key: id }, [
                    h('a', { href: id, onClick }, [
                      ...titles.map((innerHTML) => h('span', { innerHTML })),
                      h('strong', { innerHTML: title }),
                    ]),
                  ]),
                ),
            ),
          ],
        ),
      ])
  },
  { name: 'SearchDialog', emits: ['close'] },
)
