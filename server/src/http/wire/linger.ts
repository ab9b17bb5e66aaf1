import type { Socket } from 'node:net'

/** How long what a client still sends is read and thrown away, once its answer is sent. */
const lingerMs = 2_000

/**
 * Lets a client that still sends read its whole answer. A connection that is closed with bytes unread is
 * reset, and a reset takes with it what the client has not read yet. So this one, when Node closes it after
 * the answer, stops sending, and reads and drops what comes until the client closes as well.
 */
export function linger(socket: Socket): void {
  const close = () => socket.destroy()
  socket.destroySoon = () => {
    socket.end()
    // The parser's own: what follows is not read as requests any more.
    socket.removeAllListeners('data')
    socket.on('data', () => {}).resume()
    socket.once('end', close)
    setTimeout(close, lingerMs).unref()
  }
}
