// Vite's React plugin would add this to an index.html, but here the server renders the pages.
import { injectIntoGlobalHook } from '/@react-refresh'

injectIntoGlobalHook(window)
window.$RefreshReg$ = () => undefined
window.$RefreshSig$ = () => (type) => type
