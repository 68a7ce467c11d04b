/** Legal pages live without a script; this one only names their styles to the build. */
import "./legal.css";
