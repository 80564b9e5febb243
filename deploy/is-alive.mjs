// A container's health check: the image has no curl. It asks whether the process answers, not whether the database does:
// a restart would not mend that.
const { ROLE, PORT = '3000', CONSOLE_PORT = '3001' } = process.env
const port = ROLE === 'console' ? CONSOLE_PORT : PORT
const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`)
process.exit(ok ? 0 : 1)
