import { expect, it } from 'vitest'
import { allowanceOf } from './limit.ts'

const mail = { userId: 1, channel: 'email', messages: 1 } as const

it('allows each user as many messages per channel as the hourly limit, including sent ones', () => {
  const allowance = allowanceOf({ email: 3, sms: 1 }, [{ ...mail, messages: 2 }])
  expect([allowance.take(mail), allowance.take(mail)]).toEqual([true, false])
  expect([allowance.take({ ...mail, channel: 'sms' }), allowance.take({ ...mail, channel: 'sms' })]).toEqual([
    true,
    false,
  ])
  expect(allowance.take({ ...mail, userId: 2, messages: 3 })).toBe(true)
})

it('takes all messages of one event or none, so a smaller wish may still be granted', () => {
  const allowance = allowanceOf({ email: 3, sms: 1 }, [{ ...mail, messages: 2 }])
  expect([allowance.take({ ...mail, messages: 2 }), allowance.take(mail)]).toEqual([false, true])
})

it('has no limit if it is 0', () => {
  const allowance = allowanceOf({ email: 0, sms: 1 }, [{ ...mail, messages: 10_000 }])
  expect(allowance.take({ ...mail, messages: 10_000 })).toBe(true)
})
