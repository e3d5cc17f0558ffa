/** Who may call what several parts of the contract ask for, and what each such route answers whoever may not. */

/** Administrators; none of it has a flag. */
export const admins = { kind: 'signed-in', roles: ['admin'] } as const
export const notAdmin = ['session-expired', 'wrong-role'] as const

/** Everybody but customers, where the flag BACKOFFICE is on for them. */
export const backOffice = { kind: 'signed-in', roles: ['service', 'support', 'admin'], flags: ['BACKOFFICE'] } as const
export const notBackOffice = ['session-expired', 'wrong-role', 'feature-off'] as const
