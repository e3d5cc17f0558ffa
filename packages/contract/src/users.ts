import { z } from 'zod'
import { paths } from './paths.ts'
import { flagValue } from './primitives.ts'
import { route } from './route.ts'
import { featureKeys, roles } from './vocabulary.ts'

/** People as the console knows them: wire 5. */

/** `email` and `msisdn` only for oneself and for support and admin; null otherwise. */
export const user = z.object({
  id: z.string(),
  /** '(No name configured)' where none is. */
  name: z.string(),
  email: z.string().nullable(),
  msisdn: z.string().nullable(),
})
export type User = z.output<typeof user>

export const listUsers = route({
  ...paths.listUsers,
  summary: 'Users to whom the caller may assign, by name',
  answer: z.array(user),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})

/** The signed-in user, with what the console must know of their rights. */
export const me = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  msisdn: z.string().nullable(),
  role: z.enum(roles),
  /** Names of the customers in the caller's data scope; null for all. */
  customers: z.array(z.string()).nullable(),
  inactivityLimitSeconds: z.number().int(),
})
export type Me = z.output<typeof me>

export const getMe = route({
  ...paths.getMe,
  summary: 'The signed-in user',
  answer: me,
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})

export const listMyFeatures = route({
  ...paths.listMyFeatures,
  summary: 'Every feature flag with its value for the caller',
  answer: z.array(z.object({ key: z.enum(featureKeys), value: flagValue })),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})

const filterData = z.array(z.object({ key: z.string(), values: z.array(z.string()) }))

/** Values to choose from, of the caller's data scope alone. Owner values are user ids, `SYSTEM` and `none`. */
export const userFilters = z.object({ eventFilter: filterData, instrumentSummaryFilter: filterData })
export type UserFilters = z.output<typeof userFilters>

export const getMyFilters = route({
  ...paths.getMyFilters,
  summary: 'Filter categories with the values that occur in the caller’s data scope',
  answer: userFilters,
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})
