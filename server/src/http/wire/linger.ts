import type { Socket } from 'node:net'

/** How long incoming bytes are read and dropped once the response is sent. */
const lingerMs = 2_000

/**
 * Lets a client that is still sending read its whole response. Closing a connection with unread bytes resets
 * it, and a reset discards what the client has not read yet. So when Node closes this connection after the
 * response, it only stops sending, and drops incoming bytes until the client closes as well.
 */
export function linger(socket: Socket): void {
  const close = () => socket.destroy()
  socket.destroySoon = () => {
    socket.end()
    // Detaches the parser: later bytes are not parsed as requests.
    socket.removeAllListeners('data')
    socket.on('data', () => {}).resume()
    socket.once('end', close)
    setTimeout(close, lingerMs).unref()
  }
}
