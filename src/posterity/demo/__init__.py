"""The bundled blog: The Salt Almanac, which `posterity demo` harvests and tests vary."""
