// Nothing of the console's pages is drawn in the browser: what the site's components show anew by themselves, it loads anew.
import.meta.hot?.on('console:rendered-anew', () => location.reload())
