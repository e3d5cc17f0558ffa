import { createServer } from 'node:net'

/** The server can't listen on its address. The message tells the operator what to do. */
export class AddressError extends Error {
  readonly forOperator = true
}

interface Address {
  host: string
  port: number
}

/**
 * Throws AddressError if the server can't listen on the address; does not keep it open. Checked before the first start
 * creates demo data, so that a port in use is reported after seconds and not after a minute.
 */
export function refuseTakenAddress(address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => reject(explained(error, address)))
    probe.listen(address, () => probe.close(() => resolve()))
  })
}

function explained(error: NodeJS.ErrnoException, { host, port }: Address): Error {
  const advice = why(error.code, { host, port })
  return advice === undefined ? error : new AddressError(advice, { cause: error })
}

function why(code: string | undefined, { host, port }: Address): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use by another program: stop that one, or set PORT to another port, such as PORT=${port + (port < 65_535 ? 1 : -1)}.`
    case 'EACCES':
      return `This user may not listen on port ${port}: set PORT to 1024 or higher.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}: set HOST to one of its own, or to 0.0.0.0 for all of them.`
    default:
      return undefined
  }
}
