/** The project's folder, put in by static/tools/test.mjs. */
declare const PROJECT_ROOT: string;
