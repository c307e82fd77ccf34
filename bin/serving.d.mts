// The types of serving.mjs, which runs before anything is installed and so is plain JavaScript.
export declare const SERVING: string
