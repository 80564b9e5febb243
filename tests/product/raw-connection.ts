import { once } from 'node:events'
import { connect } from 'node:net'

/** A TCP connection, for requests that no HTTP library would send. */
export async function rawConnection(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.setEncoding('latin1')
  socket.on('data', (text) => {
    received += text
  })
  // A reset counts as an end.
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await once(socket, 'connect')
  return {
    socket,
    write: (text: string) => socket.write(text, 'latin1'),
    /** Writes one piece after the other until the server closes the connection. */
    drip: (piece: string, everyMs: number) => {
      const timer = setInterval(() => socket.write(piece), everyMs)
      socket.once('close', () => clearInterval(timer))
    },
    /** Everything that was received, once the server has closed the connection. */
    answer: async () => {
      await closed
      return received
    },
  }
}
