// A container's health check, because the image has no curl. It doesn't check the database, which a
// restart would not repair.
const { ROLE, PORT = '3000', CONSOLE_PORT = '3001' } = process.env
const port = ROLE === 'console' ? CONSOLE_PORT : PORT
const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`)
process.exit(ok ? 0 : 1)
