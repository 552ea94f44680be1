import { Window } from 'happy-dom'

// Import this before React, TanStack Query and wagmi, which look for a window when they load. Node.js's own globals are
// kept.
const window = new Window({ url: 'http://localhost' })
Object.assign(globalThis, {
  window,
  document: window.document,
  sessionStorage: window.sessionStorage,
  localStorage: window.localStorage,
})
