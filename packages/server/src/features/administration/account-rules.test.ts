import { describe, expect, it } from 'vitest'
import { type AccountInput, refuseAccessChange, refuseAccount } from './account-rules.ts'

const anAccount = (over: Partial<AccountInput>): AccountInput => ({
  role: 'service',
  customers: null,
  msisdn: null,
  smsMfa: false,
  ...over,
})
const sending = { hasSms: true }

describe('an account', () => {
  it.each([
    [{ role: 'service' }],
    [{ role: 'customer', customers: ['helix'] }],
    [{ role: 'admin', customers: ['helix', 'nordic'] }],
    [{ smsMfa: true, msisdn: '+46705550101' }],
  ] as const)('may be %j', (over) => {
    expect(refuseAccount(anAccount(over), sending)).toBeUndefined()
  })

  it.each([
    [{ role: 'customer' }, 'customers'],
    [{ role: 'customer', customers: [] }, 'customers'],
    [{ role: 'support', customers: [] }, 'customers'],
    [{ smsMfa: true }, 'msisdn'],
  ] as const)('cannot be %j, because of its %s', (over, property) => {
    expect(refuseAccount(anAccount(over), sending)?.property).toBe(property)
  })

  it('can have no code by SMS where none are sent', () => {
    const refusal = refuseAccount(anAccount({ smsMfa: true, msisdn: '+8613800000000' }), { hasSms: false })
    expect(refusal?.property).toBe('smsMfa')
  })
})

describe('role and state', () => {
  const admin = { id: 1, role: 'admin', scope: 'all', disabled: false } as const
  const change = (over: Partial<Parameters<typeof refuseAccessChange>[0]>) =>
    refuseAccessChange({ before: admin, after: admin, callerId: 9, otherAdministrators: 1, ...over })?.code

  it('stay as they are for anybody, oneself included', () => {
    expect(change({ callerId: 1, otherAdministrators: 0 })).toBeUndefined()
  })

  it.each([{ ...admin, role: 'support' } as const, { ...admin, disabled: true }])(
    'of the caller cannot become %j',
    (after) => {
      expect(change({ callerId: 1, after })).toBe('own-account')
    },
  )

  it.each([{ ...admin, role: 'support' } as const, { ...admin, disabled: true }, { ...admin, scope: [7] }])(
    'of the last administrator cannot become %j',
    (after) => {
      expect(change({ after, otherAdministrators: 0 })).toBe('last-administrator')
      expect(change({ after, otherAdministrators: 1 })).toBeUndefined()
    },
  )

  it('of others change whoever is left, also a disabled administrator', () => {
    const engineer = { ...admin, id: 2, role: 'service' } as const
    expect(change({ before: engineer, after: { ...engineer, disabled: true }, otherAdministrators: 0 })).toBeUndefined()
    const former = { ...admin, disabled: true }
    expect(change({ before: former, after: { ...former, role: 'service' }, otherAdministrators: 0 })).toBeUndefined()
  })
})
