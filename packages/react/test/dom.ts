import { Window } from 'happy-dom'

// Before React, TanStack Query and wagmi are loaded: they look for a window when they are. What Node has stays Node's.
const window = new Window({ url: 'http://localhost' })
Object.assign(globalThis, { window, document: window.document, sessionStorage: window.sessionStorage })
