import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { refuseTakenAddress } from './address-taken.ts'

const host = '127.0.0.1'

it('says which port is in use and what to set, and takes a free one at once', async () => {
  const other = createServer().listen({ host, port: 0 })
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  await expect(refuseTakenAddress({ host, port })).rejects.toMatchObject({
    forOperator: true,
    message: `Port ${port} of 127.0.0.1 is in use by another program: stop that one, or set PORT to another port, such as PORT=${port + 1}.`,
  })

  other.close()
  await once(other, 'close')
  await refuseTakenAddress({ host, port })
  const next = createServer().listen({ host, port })
  await once(next, 'listening')
  next.close()
})

it('says which address this machine does not have', async () => {
  // 192.0.2.0/24 is reserved for documentation (RFC 5737), so no machine has one of its addresses.
  await expect(refuseTakenAddress({ host: '192.0.2.1', port: 0 })).rejects.toMatchObject({
    forOperator: true,
    message: 'This machine has no address 192.0.2.1: set HOST to one of its own, or to 0.0.0.0 for all of them.',
  })
})
