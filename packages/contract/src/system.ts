import { z } from 'zod'
import { paths } from './paths.ts'
import { route } from './route.ts'

/** Process health: 3-decisions 1. No token required. */

export const getHealth = route({
  ...paths.getHealth,
  summary: 'The process is up',
  answer: z.object({ status: z.literal('ok'), version: z.string(), environment: z.string() }),
  errors: [],
  access: { kind: 'public' },
})

export const getReady = route({
  ...paths.getReady,
  summary: 'The database accepts writes and its migrations are done',
  answer: z.object({
    status: z.literal('ready'),
    degraded: z.array(z.enum(['nats'])).describe('Parts that are down and replaced by slower ones'),
  }),
  errors: ['unavailable'],
  access: { kind: 'public' },
})
