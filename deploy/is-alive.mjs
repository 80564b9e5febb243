// A container's health check: the image has no curl. It asks whether the process answers, not whether the database does:
// a restart would not mend that.
const { PORT = '3000' } = process.env
const { ok } = await fetch(`http://127.0.0.1:${PORT}/healthz`)
process.exit(ok ? 0 : 1)
