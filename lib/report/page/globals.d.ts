/** Globals that are defined before these scripts in the page. */
declare const uPlot: any;
declare const units: typeof import('../../base/pure/units');
