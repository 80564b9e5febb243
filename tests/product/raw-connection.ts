import { once } from 'node:events'
import { connect } from 'node:net'

/** A connection below HTTP, for what no HTTP library would send. */
export async function rawConnection(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.setEncoding('latin1')
  socket.on('data', (text) => {
    received += text
  })
  // A reset is an end like another.
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await once(socket, 'connect')
  return {
    socket,
    write: (text: string) => socket.write(text, 'latin1'),
    /** Writes piece after piece until the other side has had enough. */
    drip: (piece: string, everyMs: number) => {
      const timer = setInterval(() => socket.write(piece), everyMs)
      socket.once('close', () => clearInterval(timer))
    },
    /** All that came, once the other side has closed. */
    answer: async () => {
      await closed
      return received
    },
  }
}
