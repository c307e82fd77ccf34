// Before each file of tests: its random cases are the same on every machine; MERLON_TEST_SEED, a number, takes others.

import { configureGlobal } from 'fast-check'

configureGlobal({ seed: Number(process.env.MERLON_TEST_SEED ?? 20_260_101) })
