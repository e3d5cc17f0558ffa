import { z } from 'zod'
import { paths } from '../paths.ts'
import { flagValue } from '../primitives.ts'
import { route } from '../route.ts'
import { featureKeys, roles } from '../vocabulary.ts'

/** Users: wire 5. */

/** `email` and `msisdn` are null unless the caller is this user, support or admin. */
export const user = z.object({
  id: z.string(),
  /** '(No name configured)' if the user has no name. */
  name: z.string(),
  email: z.string().nullable(),
  msisdn: z.string().nullable(),
})
export type User = z.output<typeof user>

export const listUsers = route({
  ...paths.listUsers,
  summary: 'Users whom the caller may assign events to, by name',
  answer: z.array(user),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})

/** The signed-in user, including the rights that the console needs. */
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
  summary: 'All feature flags with their values for the caller',
  answer: z.array(z.object({ key: z.enum(featureKeys), value: flagValue })),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})

const filterData = z.array(z.object({ key: z.string(), values: z.array(z.string()) }))

/** Filter values within the caller's data scope. Owner values are user ids, `SYSTEM` and `none`. */
export const userFilters = z.object({ eventFilter: filterData, instrumentSummaryFilter: filterData })
export type UserFilters = z.output<typeof userFilters>

export const getMyFilters = route({
  ...paths.getMyFilters,
  summary: 'Filter categories with the values that occur in the caller’s data scope',
  answer: userFilters,
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})
