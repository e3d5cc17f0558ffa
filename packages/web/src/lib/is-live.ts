import { createContext } from 'react'

/** False while the live connection is lost: nobody knows then what is new. The provider of the connection tells. */
export const IsLive = createContext(true)
