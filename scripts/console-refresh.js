// The server renders the console's pages, so a change of a shared component needs a reload. The site updates its
// components without one.
import.meta.hot?.on('console:rendered-anew', () => location.reload())
