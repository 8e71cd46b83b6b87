// Types of the page lead to files of the server side, which name this module; pages run none of it.
declare module 'node:events';
