// Before each test file: seeds its random cases, so that they are the same on every machine; MERLON_TEST_SEED, a number, picks others.

import { configureGlobal } from 'fast-check'

configureGlobal({ seed: Number(process.env.MERLON_TEST_SEED ?? 20_260_101) })
