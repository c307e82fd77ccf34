// The types of serving.mjs, which runs before anything is installed and so is plain JavaScript.
export declare const SERVING: string
export declare const servingEnvironment: () => { NODE_OPTIONS: string }
