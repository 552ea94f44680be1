import { computed, defineComponent, h, onBeforeUnmount, onMounted, ref } from 'vue'
import { command, screens } from '../../recording.json'

const last = screens.length - 1
const linesOf = (index: number) => screens[index]?.lines ?? []
const bestRate = linesOf(last)
  .find((line) => line.startsWith('1 '))
  ?.split(/\s+/)[1]
const description = `A terminal: ${command}. Three market makers answer within 15 seconds, the best with ${bestRate} APR.`

/**
 * A terminal recording of an auction. Shows only the last screen if scripts are disabled or the user prefers reduced
 * motion.
 */
export const RecordedAuction = defineComponent(() => {
  const shown = ref(last)
  const isPlaying = ref(false)
  const text = computed(() => [`$ ${command}`, ...linesOf(shown.value)].join('\n'))
  let timer: ReturnType<typeof setTimeout> | undefined

  function show(index: number): void {
    shown.value = index
    isPlaying.value = index < last
    const pause = (screens[index + 1]?.atMs ?? 0) - (screens[index]?.atMs ?? 0)
    if (isPlaying.value) timer = setTimeout(() => show(index + 1), pause)
  }
  function toggle(): void {
    clearTimeout(timer)
    show(isPlaying.value ? last : 0)
  }

  onMounted(() => {
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) show(0)
  })
  onBeforeUnmount(() => clearTimeout(timer))

  return () =>
    h('figure', { class: 'recording' }, [
      h('pre', { tabindex: 0, role: 'img', 'aria-label': description }, text.value),
      h('figcaption', [
        h('span', 'An auction of the demo, as the terminal showed it.'),
        h('button', { type: 'button', onClick: toggle }, isPlaying.value ? 'Stop' : 'Play again'),
      ]),
    ])
})
